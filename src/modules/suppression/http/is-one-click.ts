const FIELD = 'List-Unsubscribe';
const VALUE = 'One-Click';
/** The part of that name with its headers, as far as the value's line. */
const PART =
  /^content-disposition:[^\r\n]*;[ \t]*name="?List-Unsubscribe"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\nOne-Click\r?$/im;

/** Whether a mail client posts this of itself (RFC 8058 §3.2), urlencoded or multipart, rather than a person by the form. */
export function isOneClick(contentType: string, body: string): boolean {
  if (/^multipart\/form-data\b/i.test(contentType.trim())) return PART.test(body);
  return new URLSearchParams(body.trim()).get(FIELD) === VALUE;
}
