/**
 * A PostgreSQL regular expression for an address as a whole in lower-case text: ann@x.example is neither found in
 * joann@x.example nor in ann@x.example.org.
 */
export const mentionPattern = (email: string): string =>
  `(?<![[:alnum:]._%+-])${email.replace(/[!-/:-@[-`{-~]/g, '\\$&')}(?![[:alnum:]_-]|\\.[[:alnum:]])`;
