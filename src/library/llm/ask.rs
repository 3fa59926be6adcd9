//! Has a model pick the hints that are relevant to a question. Only names that the catalogue has come back.

use std::collections::{BTreeMap, BTreeSet};

use super::prompt::shown;
use super::{CatalogueLine, Provider, ProviderFailure, Request, names, prompt};

/// What a model picked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Names of the catalogue, each once, in the model's order.
    pub names: Vec<String>,
    /// Tokens of question and answer together, if the provider counts them.
    pub tokens: Option<u64>,
}

/// Ask `provider` which of `lines` are relevant to `question`, at most `limit` of them. `request` says how; its prompt is made here.
///
/// # Errors
/// When the provider cannot be asked, or its answer has no list of names.
pub fn pick(
    provider: &dyn Provider,
    request: Request,
    lines: &[CatalogueLine<'_>],
    question: &str,
    limit: usize,
) -> Result<Picked, ProviderFailure> {
    if lines.is_empty() || limit == 0 {
        return Ok(Picked::default());
    }
    provider.available()?;
    let answer = provider.generate(&Request { prompt: prompt(lines, question, limit), ..request })?;
    let answered = names(&answer.text).ok_or_else(|| {
        ProviderFailure::new(format!(
            "the answer of {} cannot be parsed: it contains no list of names",
            provider.name()
        ))
    })?;
    // The model saw names fit for a prompt, and may have kept the ending of a file.
    let known: BTreeMap<String, &str> = lines.iter().rev().map(|line| (shown(line.name), line.name)).collect();
    let mut seen = BTreeSet::new();
    let name = |answered: &String| {
        let answered = answered.trim();
        let found = known.get(answered).or_else(|| known.get(answered.strip_suffix(".md")?));
        found.copied().filter(|name| seen.insert(*name)).map(str::to_owned)
    };
    let names = answered.iter().filter_map(name).take(limit).collect();
    let tokens = [answer.input_tokens, answer.output_tokens].into_iter().flatten().reduce(u64::saturating_add);
    Ok(Picked { names, tokens })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::library::llm::ModelAnswer;

    /// Answers with one text, and counts how often it is asked.
    struct Says(&'static str, Cell<usize>);

    impl Provider for Says {
        fn name(&self) -> &'static str {
            "Says"
        }

        fn generate(&self, _request: &Request) -> Result<ModelAnswer, ProviderFailure> {
            self.1.set(self.1.get() + 1);
            let (input_tokens, output_tokens) = (Some(10), Some(2));
            Ok(ModelAnswer { text: self.0.to_owned(), model: None, input_tokens, output_tokens })
        }
    }

    fn picked(says: &'static str, names: &[&str], limit: usize) -> (Result<Vec<String>, ProviderFailure>, usize) {
        let line = |name| CatalogueLine { name, description: "", relevant_for: None };
        let lines: Vec<CatalogueLine<'_>> = names.iter().copied().map(line).collect();
        let request = Request {
            model: "m".into(),
            model_setting: "--model".into(),
            prompt: String::new(),
            temperature: 0.3,
            max_tokens: 9,
        };
        let provider = Says(says, Cell::new(0));
        let picked = pick(&provider, request, &lines, "what?", limit).map(|picked| picked.names);
        (picked, provider.1.get())
    }

    #[test]
    fn l04_the_models_order_without_what_nobody_has() {
        let names = &["a", "b", "c", "d<e"];
        let says = |text, limit| picked(text, names, limit).0.unwrap().join(" ");
        assert_eq!(says("[\"c\", \"a\", \"c\", \"x\", \"b.md\"]", 5), "c a b");
        assert_eq!(says("[\"x\", \"c\", \"a\"]", 1), "c");
        assert_eq!(says("[\"d\u{2039}e\"]", 5), "d<e");
        assert_eq!(says("[]", 5), "");
        assert!(picked("I would say a", names, 5).0.is_err());
    }

    #[test]
    fn l04_an_empty_catalogue_makes_no_call() {
        assert_eq!(picked("[\"a\"]", &[], 5), (Ok(Vec::new()), 0));
    }
}
