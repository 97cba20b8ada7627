import { escapeHtml } from '../../../shared/text.js';

interface VerificationMail {
  subject: string;
  text: string;
  html: string;
}

const REQUEST = 'Someone has asked to send email from this address. The page below shows who.';
const INVITATION = 'If you expected this and agree, open the page and confirm within 24 hours:';
const OTHERWISE = 'If you do not agree, do nothing: no email will be sent from your address.';

/**
 * The verification mail. It comes from the operator's address, so it contains no text chosen by an account: neither the
 * account's name nor the local part of the address.
 */
export function verificationMail(link: string): VerificationMail {
  return {
    subject: 'Confirm your address as a sender',
    text: `${REQUEST}\n\n${INVITATION}\n\n${link}\n\n${OTHERWISE}\n`,
    html: `<!doctype html>
<html lang="en">
<body>
<p>${REQUEST}</p>
<p>${INVITATION}</p>
<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>
<p>${OTHERWISE}</p>
</body>
</html>
`,
  };
}
