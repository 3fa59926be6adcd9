;;; Emacs with eglot, with the lines of docs/editor.md: diagnostics, before and after an edit.  -*- lexical-binding: t -*-

(defun await (what condition)
  "Wait until CONDITION holds; fail with WHAT if it does not."
  (let ((end (+ (float-time) 30)))
    (while (and (not (funcall condition)) (< (float-time) end))
      (accept-process-output nil 0.05)))
  (unless (funcall condition)
    (message "emacs: %s" what)
    (kill-emacs 1)))

(find-file (concat (getenv "WORLD") "/CLAUDE.md"))
(unless (derived-mode-p 'markdown-mode)
  (message "emacs: no markdown-mode")
  (kill-emacs 1))
(unless (eglot-current-server)
  (apply #'eglot--connect (eglot--guess-contact)))
(await "no server" #'eglot-current-server)
(flymake-mode 1)
(await "one diagnostic was expected"
       (lambda () (flymake-start) (= 1 (length (flymake-diagnostics)))))
(unless (string-match-p "docs/gone.md" (flymake-diagnostic-text (car (flymake-diagnostics))))
  (message "emacs: %s" (flymake-diagnostic-text (car (flymake-diagnostics))))
  (kill-emacs 1))
(goto-char (point-min))
(search-forward "docs/gone.md")
(replace-match "docs/a.md")
(eglot--signal-textDocument/didChange)
(await "the diagnostic should be gone"
       (lambda () (flymake-start) (null (flymake-diagnostics))))
(message "emacs: passed")
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(kill-emacs 0)
