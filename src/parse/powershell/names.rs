//! Names of PowerShell functions: a verb of PowerShell's list and a noun. What PowerShell itself brings is named here.

/// The verbs that `Get-Verb` lists.
const VERBS: &str = "Add Approve Assert Backup Block Build Checkpoint Clear Close Compare Complete Compress Confirm Connect Convert \
    ConvertFrom ConvertTo Copy Debug Deny Deploy Disable Disconnect Dismount Edit Enable Enter Exit Expand Export Find Format Get \
    Grant Group Hide Import Initialize Install Invoke Join Limit Lock Measure Merge Mount Move New Open Optimize Out Ping Pop \
    Protect Publish Push Read Receive Redo Register Remove Rename Repair Request Reset Resize Resolve Restart Restore Resume \
    Revoke Save Search Select Send Set Show Skip Split Start Step Stop Submit Suspend Switch Sync Test Trace Unblock Undo \
    Uninstall Unlock Unprotect Unpublish Unregister Update Use Wait Watch Write";

/// The nouns of the commands that PowerShell and the modules beside it bring. A verb before one of them is not a package's command.
const NOUNS: &str = "Acl Alias Archive AuthenticodeSignature BitsTransfer Certificate Child ChildItem CimAssociatedInstance CimClass \
    CimInstance CimSession Clipboard CmsMessage Command CommandPath ComputerInfo ComputerRestore Connection Content ControlPanelItem \
    Counter Credential Csv Culture CustomObject Data Date Debugger DebugPref Default Dns DnsName Drive Environment Error Event \
    EventLog EventSubscriber ExecutionPolicy Expression File FileCatalog FileHash FormatData GridView Guid Help History Host HotFix \
    Html Information InstalledModule InstalledScript Item ItemProperty ItemPropertyValue Job Json JsonSchema List Location LogProperties \
    MailMessage MarkdownOption Member Module ModuleManifest ModuleMember NetAdapter NetIPAddress NetIPConfiguration NetRoute \
    NetTCPConnection Null Object Output Package PackageProvider PackageSource Parameter Path PfxCertificate Printer Process Progress \
    Property PSBreakpoint PSCallStack PSDebug PSDrive PSHostProcess PSHostProcessInfo PSProvider PSReadLineKeyHandler \
    PSReadLineOption PSRepository PSResource PSRunspace PSScriptFileInfo PSSession PSSessionConfiguration PSSnapin Random \
    RestMethod Runspace RunspaceDebug ScheduledTask ScheduledTaskAction ScheduledTaskTrigger Script ScriptFileInfo SecureString \
    Service Sleep Sort StringData String StrictMode Table ThreadJob TimeSpan TimeZone TraceSource Transaction Transcript Type \
    TypeData UICulture Unique Uptime Variable Verb Verbose Version Warning WebRequest WebServiceProxy Wide WinEvent WmiObject \
    WSManInstance WSManSession Xml Debug Computer Each Csv CliXml Hex Configuration Feature VM ADUser ADGroup ADComputer AzAccount";

/// Whether `word` is the name of a function of somebody's own: a known verb, a hyphen, and a noun that no command of PowerShell has.
pub(crate) fn is_function_name(word: &str) -> bool {
    let Some((verb, noun)) = word.split_once('-') else { return false };
    let is_one_of = |list: &str, word: &str| list.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case(word));
    // `get-started` is prose, and `Get-ID3v2` a name.
    let is_noun = noun.starts_with(|c: char| c.is_ascii_uppercase()) && noun.chars().all(|c| c.is_ascii_alphanumeric());
    let is_verb = verb.starts_with(|c: char| c.is_ascii_uppercase()) && is_one_of(VERBS, verb);
    is_verb && is_noun && !is_one_of(NOUNS, noun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_functions_are_told_from_commands_and_prose() {
        for name in ["Get-Greeting", "ConvertTo-Page", "New-ID3v2", "Invoke-Deploy"] {
            assert!(is_function_name(name), "{name}");
        }
        for name in [
            "Get-ChildItem",
            "Write-Host",
            "Import-Module",
            "ConvertTo-Json",
            "Print-Context",
            "get-started",
            "Set-up",
            "Get",
            "Get-",
            "-Name",
            "Test-driven",
            "Read-Only-Memory",
            "Build-Time!",
            "Out-Null",
            "Where-Object",
        ] {
            assert!(!is_function_name(name), "{name}");
        }
    }
}
