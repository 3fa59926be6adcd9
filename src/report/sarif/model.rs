//! The part of the SARIF 2.1.0 object model that we write. Shapes only; names are the standard's.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Log<'a, R: Serialize> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [SarifRun<'a, R>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifRun<'a, R: Serialize> {
    pub(super) tool: SarifTool<'a>,
    pub(super) invocations: [Invocation; 1],
    pub(super) original_uri_base_ids: UriBaseIds,
    pub(super) default_encoding: &'static str,
    pub(super) column_kind: &'static str,
    /// A list of [`SarifResult`].
    pub(super) results: R,
}

#[derive(Serialize)]
pub(super) struct SarifTool<'a> {
    pub(super) driver: Driver<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'a> {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) information_uri: Option<&'static str>,
    pub(super) rules: Vec<Descriptor<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Descriptor<'a> {
    pub(super) id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) short_description: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) full_description: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<Help<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) default_configuration: Option<Configuration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<RuleProperties>,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    pub(super) deprecated_ids: &'a [&'a str],
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) level: &'static str,
}

#[derive(Serialize)]
pub(super) struct Help<'a> {
    pub(super) text: &'a str,
    pub(super) markdown: &'a str,
}

#[derive(Serialize)]
pub(super) struct RuleProperties {
    pub(super) tags: [&'static str; 1],
    /// GitHub's own key.
    #[serde(rename = "problem.severity")]
    pub(super) severity: &'static str,
}

#[derive(Serialize)]
pub(super) struct Text<'a> {
    pub(super) text: &'a str,
}

#[derive(Serialize)]
pub(super) struct OwnedText {
    pub(super) text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
pub(super) struct Notification {
    pub(super) level: &'static str,
    pub(super) message: OwnedText,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Location>,
}

#[derive(Serialize)]
pub(super) struct UriBaseIds {
    #[serde(rename = "%SRCROOT%")]
    pub(super) root: UriBase,
}

#[derive(Serialize)]
pub(super) struct UriBase {
    pub(super) description: Text<'static>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifResult<'a> {
    pub(super) rule_id: &'a str,
    pub(super) rule_index: usize,
    pub(super) level: &'static str,
    pub(super) message: OwnedText,
    pub(super) locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location>,
    pub(super) partial_fingerprints: PartialFingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<SarifFix<'a>>,
    /// Present in every result, since the standard wants it in all or none.
    pub(super) suppressions: Vec<SarifSuppression>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) properties: Option<ResultProperties<'a>>,
}

#[derive(Serialize)]
pub(super) struct ResultProperties<'a> {
    pub(super) agents: &'a [&'static str],
}

#[derive(Serialize)]
pub(super) struct PartialFingerprints {
    #[serde(rename = "hintlint/v1")]
    pub(super) own: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<OwnedText>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PhysicalLocation {
    pub(super) artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactLocation {
    pub(super) uri: String,
    pub(super) uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) bytes: Option<ByteRegion>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ByteRegion {
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SarifFix<'a> {
    pub(super) description: Text<'static>,
    pub(super) artifact_changes: Vec<ArtifactChange<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ArtifactChange<'a> {
    pub(super) artifact_location: ArtifactLocation,
    pub(super) replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub(super) deleted_region: Region,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) inserted_content: Option<Text<'a>>,
}

#[derive(Serialize)]
pub(super) struct SarifSuppression {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: String,
}
