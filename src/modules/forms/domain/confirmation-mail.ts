import { DEFAULT_BRAND_COLOR } from '../../../shared/branding.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { readableOn } from '../../../shared/readable-color.js';

/** The texts of a mail as a template, with the placeholders accountName, wording and confirmUrl. */
interface MailTexts {
  intro: string;
  button: string;
  wording: string;
  otherwise: string;
}

const TEXTS: Record<PageLanguage, MailTexts> = {
  en: {
    intro:
      'Somebody, probably you, has signed up with this address at {{accountName}}. Please confirm that you want this:',
    button: 'Confirm',
    wording: 'What you agree to:',
    otherwise:
      'If it was not you, do nothing: without a confirmation you get no further mail, and the request is deleted after seven days.',
  },
  de: {
    intro:
      'Jemand, wahrscheinlich Sie, hat sich mit dieser Adresse bei {{accountName}} angemeldet. Bitte bestätigen Sie, dass Sie das möchten:',
    button: 'Bestätigen',
    wording: 'Dem stimmen Sie zu:',
    otherwise:
      'Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne Bestätigung erhalten Sie keine weitere E-Mail, und die Anmeldung wird nach sieben Tagen gelöscht.',
  },
};

/** The confirmation mail of forms without a template. It contains nothing that was submitted. */
export function confirmationMail(language: PageLanguage, color: string | null): { html: string; text: string } {
  const { intro, button, wording, otherwise } = TEXTS[language];
  const background = color ?? DEFAULT_BRAND_COLOR;
  const colors = `background:${background};color:${readableOn(background)}`;
  return {
    text: `${intro}\n\n{{confirmUrl}}\n\n${wording}\n\n{{wording}}\n\n${otherwise}\n`,
    html: `<!doctype html>
<html lang="${language}">
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<p>${intro}</p>
<p><a href="{{confirmUrl}}" style="display:inline-block;padding:12px 24px;${colors};text-decoration:none;border-radius:6px">${button}</a></p>
<p>${wording}</p>
<p style="white-space:pre-line">{{wording}}</p>
<p>${otherwise}</p>
</body>
</html>
`,
  };
}
