const FIELD = 'List-Unsubscribe';
const VALUE = 'One-Click';

/** Whether a mail client sent the body (RFC 8058 §3.2), urlencoded or multipart, rather than a person with the form. */
export function isOneClick(contentType: string, body: string): boolean {
  if (/^multipart\/form-data\b/i.test(contentType.trim())) return hasOneClickPart(body.toLowerCase());
  return new URLSearchParams(body.trim()).get(FIELD) === VALUE;
}

/** Reads each line once: the body is untrusted. */
function hasOneClickPart(body: string): boolean {
  let isNamed = false;
  let isContent = false;
  for (const line of body.split(/\r?\n/)) {
    if (isContent && line === VALUE.toLowerCase()) return true;
    isContent = isNamed && line === '';
    if (line === '') isNamed = false;
    else isNamed ||= namesField(line);
  }
  return false;
}

function namesField(line: string): boolean {
  const [header = '', ...parameters] = line.startsWith('content-disposition:') ? line.split(';') : [];
  const name = FIELD.toLowerCase();
  return header !== '' && parameters.some((text) => [`name=${name}`, `name="${name}"`].includes(text.trim()));
}
