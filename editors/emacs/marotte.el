;;; marotte.el --- marotte for eglot  -*- lexical-binding: t; -*-

;;; Commentary:

;; (load "…/marotte.el"), with `puppet-mode' installed or not; then M-x eglot in a file of Puppet code.

;;; Code:

(require 'eglot)

(defvar marotte-program "marotte" "The program that serves.")

(unless (fboundp 'puppet-mode)
  (define-derived-mode puppet-mode prog-mode "Puppet"
    "Puppet code, without colours."
    (setq-local comment-start "# ")))

(add-to-list 'auto-mode-alist '("\\.e?pp\\'" . puppet-mode))

(add-to-list 'eglot-server-programs
             (cons 'puppet-mode (lambda (&rest _) (list marotte-program "server"))))

(provide 'marotte)
;;; marotte.el ends here
