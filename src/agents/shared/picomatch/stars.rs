//! `*` and `**`.

use super::parser::{BrokenPattern, PicoBefore, PicoParser};
use super::{PicoPiece, PicoRepeat, SLASH};

impl PicoParser {
    /// One `*` has been taken.
    pub(super) fn stars(&mut self, pieces: &mut Vec<PicoPiece>) -> Result<(), BrokenPattern> {
        let mut count = 1;
        while self.peek(0) == Some('*') {
            (count, self.at) = (count + 1, self.at + 1);
        }
        let opens = self.peek(0) == Some('(') && self.peek(1) != Some('?');
        let count = if opens { count - 1 } else { count };
        let goes_deep = count == 2
            && (matches!(self.before, PicoBefore::Start | PicoBefore::Slash | PicoBefore::Paren)
                || self.before == PicoBefore::Brace && self.braces > 0);
        if goes_deep && !opens {
            self.deep(pieces);
        } else if count > 0 {
            match self.before {
                PicoBefore::Dot => pieces.push(PicoPiece::NoDots),
                PicoBefore::Start | PicoBefore::Slash if count == 1 => pieces.push(PicoPiece::NotEnd),
                _ => {}
            }
            pieces.push(PicoPiece::Star);
            self.before = PicoBefore::Star;
        }
        if opens { self.group('*', pieces) } else { Ok(()) }
    }

    /// `**` where it may go deep: alone between slashes it stands for nothing too.
    fn deep(&mut self, pieces: &mut Vec<PicoPiece>) {
        while self.rest().starts_with(&['/', '*', '*']) && matches!(self.peek(3), None | Some('/')) {
            self.at += 3;
        }
        let (slash, deep) = (|| PicoPiece::Unit(SLASH), || PicoPiece::Deep);
        let is_end = self.at == self.chars.len();
        let follows = self.peek(0) == Some('/');
        let inner_slash = self.before == PicoBefore::Slash && self.before_slash != PicoBefore::Start;
        let ends_in_slash = matches!(pieces.last(), Some(PicoPiece::Unit(SLASH)));
        if inner_slash && ends_in_slash && is_end && self.before_slash != PicoBefore::Star {
            pieces.pop();
            pieces.push(PicoPiece::Group(vec![vec![slash(), deep()], vec![PicoPiece::End]], PicoRepeat::Once));
        } else if inner_slash && ends_in_slash && follows {
            pieces.pop();
            self.at += 1;
            let mut branches = vec![vec![slash(), deep(), slash()], vec![slash()]];
            if self.at < self.chars.len() {
                branches.push(vec![PicoPiece::End]);
            }
            pieces.push(PicoPiece::Group(branches, PicoRepeat::Once));
            (self.before, self.before_slash) = (PicoBefore::Slash, PicoBefore::Star);
            return;
        } else if self.before == PicoBefore::Start && follows {
            self.at += 1;
            let branches = vec![vec![], vec![slash()], vec![deep(), slash()]];
            pieces.push(PicoPiece::Group(branches, PicoRepeat::Once));
            (self.before, self.before_slash) = (PicoBefore::Slash, PicoBefore::Star);
            return;
        } else {
            let stays = match self.peek(0) {
                None | Some('/' | '(' | ')') => true,
                Some('@') => self.peek(1) == Some('('),
                Some(',' | '{' | '}') => self.braces > 0,
                Some(_) => false,
            };
            pieces.push(if stays { deep() } else { PicoPiece::Star });
        }
        self.before = PicoBefore::Star;
    }
}
