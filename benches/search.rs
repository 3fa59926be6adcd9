//! How well search answers: `cargo bench --bench search` prints one row for each set of questions, and with `-v` the slips.

#[path = "../tests/it/library/quality.rs"]
mod quality;

use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let Some(sets) = quality::measure() else {
        return writeln!(out, "NOTHING WAS MEASURED: the corpus is not beside the checkout");
    };
    let is_verbose = std::env::args().any(|word| word == "-v");
    writeln!(out, "{:11} {:>9} {:>9} {:>9} {:>6}  wrong answers", "set", "questions", "success@1", "recall@5", "MRR")?;
    for set in sets {
        let (at_1, at_5, mrr) = (set.success_at_1, set.recall_at_5, set.mrr);
        let wrong = format!("{} of {}", set.wrong, set.unanswerable);
        writeln!(out, "{:11} {:>9} {at_1:>9.3} {at_5:>9.3} {mrr:>6.3}  {wrong}", set.name, set.questions)?;
        for slip in set.slips.iter().filter(|_| is_verbose) {
            writeln!(out, "    {slip}")?;
        }
    }
    Ok(())
}
