import type { HtmlPage } from '../../../platform/http/html-page.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { escapeHtml } from '../../../shared/text.js';
import type { OpenedLink } from '../application/open-unsubscribe-link.service.js';
import { ACTION, EVERYTHING } from './preference-fields.js';

/** The texts of the pages. Values are inserted as they are: escape them, or the text. */
interface Texts {
  title: (accountName: string) => string;
  question: (accountName: string, email: string) => string;
  button: string;
  otherwise: string;
  doneTitle: string;
  done: (accountName: string, email: string) => string;
  unknownTitle: string;
  unknown: string;
}

const TEXTS: Record<PageLanguage, Texts> = {
  en: {
    title: (accountName) => `Unsubscribe from ${accountName}`,
    question: (accountName, email) => `Stop all email from ${accountName} to ${email}?`,
    button: 'Unsubscribe',
    otherwise: 'If you do not want this, close this page: nothing changes.',
    doneTitle: 'You are unsubscribed',
    done: (accountName, email) => `${accountName} sends no more email to ${email}. You can close this page.`,
    unknownTitle: 'This link does not work',
    unknown:
      'It was probably not copied in full, or is no longer valid, so nothing has changed. Please use the link in the email itself.',
  },
  de: {
    title: (accountName) => `Von ${accountName} abmelden`,
    question: (accountName, email) => `Keine E-Mails von ${accountName} an ${email} mehr?`,
    button: 'Abmelden',
    otherwise: 'Wenn Sie das nicht möchten, schließen Sie diese Seite: Es ändert sich nichts.',
    doneTitle: 'Sie sind abgemeldet',
    done: (accountName, email) =>
      `${accountName} sendet keine E-Mails mehr an ${email}. Sie können diese Seite schließen.`,
    unknownTitle: 'Dieser Link funktioniert nicht',
    unknown:
      'Er wurde wohl nicht vollständig kopiert oder ist nicht mehr gültig. Es hat sich nichts geändert. Bitte verwenden Sie den Link in der E-Mail selbst.',
  },
};

/** The field that the button posts: without it, a post means the topic of the mail alone. */
const nameOfButton = (topicId: string | null): string =>
  topicId === null ? '' : ` name="${ACTION}" value="${EVERYTHING}"`;

/** The form is submitted to the address of the page. */
export function unsubscribePage({ target, account }: OpenedLink, language: PageLanguage): HtmlPage {
  const texts = TEXTS[language];
  return {
    brand: account,
    language,
    title: texts.title(account.name),
    body: `<p>${texts.question(escapeHtml(account.name), escapeHtml(target.email))}</p>
<form method="post"><button type="submit"${nameOfButton(target.topicId)}>${texts.button}</button></form>
<p>${texts.otherwise}</p>`,
  };
}

export function unsubscribedPage({ target, account }: OpenedLink, language: PageLanguage): HtmlPage {
  const { doneTitle: title, done } = TEXTS[language];
  const body = `<p>${done(escapeHtml(account.name), escapeHtml(target.email))}</p>`;
  return { brand: account, language, title, body };
}

export function unknownLinkPage(language: PageLanguage): HtmlPage {
  const { unknownTitle: title, unknown } = TEXTS[language];
  return { language, title, body: `<p>${unknown}</p>` };
}
