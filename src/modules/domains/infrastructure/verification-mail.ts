import { escapeHtml } from '../../../shared/escape-html.js';

interface VerificationMail {
  subject: string;
  text: string;
  html: string;
}

/** What the holder of an address reads when an account asks to send from it. */
export function verificationMail(email: string, accountName: string, link: string): VerificationMail {
  const request = `${accountName} asks to send email from ${email}.`;
  const invitation = 'If you know of this and agree, open this page and confirm within 24 hours:';
  const otherwise = 'If you do not agree, do nothing: no email is sent from your address.';
  return {
    subject: `Confirm ${email} as a sender`,
    text: `${request}\n\n${invitation}\n\n${link}\n\n${otherwise}\n`,
    html: `<!doctype html>
<html lang="en">
<body>
<p>${escapeHtml(request)}</p>
<p>${invitation}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>
<p>${otherwise}</p>
</body>
</html>
`,
  };
}
