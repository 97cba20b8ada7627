import type { HtmlPage, PageExtras } from '../../../platform/http/html-page.js';
import type { PageLanguage } from '../../../shared/page-language.js';
import { escapeHtml } from '../../../shared/text.js';
import type { BrandedForm } from '../application/form-directory.service.js';
import type { SubmissionFault } from '../application/submit-form.service.js';
import type { FormField } from '../domain/form.js';
import { PAGE_TEXTS } from './page-texts.js';

/** A field that people do not see, no browser fills in, and no form of a customer has. */
export const TRAP_FIELD = 'x_comment';
export const CHALLENGE_FIELD = 'challenge';

const AUTOCOMPLETE: Record<FormField, string> = {
  firstName: 'given-name',
  lastName: 'family-name',
  company: 'organization',
};

const STYLE = `label{display:block;margin:1rem 0 .25rem}
input{font:inherit;padding:.5rem;width:100%;box-sizing:border-box}
button{margin-top:1rem}
altcha-widget{display:block;margin-top:1rem}
.wording{margin:1rem 0;white-space:pre-line}
.fault{font-weight:bold}
.trap{position:absolute;left:-100rem}`;

export interface FormView {
  form: BrandedForm;
  language: PageLanguage;
  /** The path under which a proxy serves the service, without a slash at its end. */
  basePath: string;
}

interface FilledForm {
  fault?: SubmissionFault;
  values?: Readonly<Record<string, unknown>>;
}

/** The form is submitted to the address of the page. */
export function formPage({ form, language, basePath }: FormView, { fault, values = {} }: FilledForm = {}): HtmlPage {
  const texts = PAGE_TEXTS[language];
  const field = (name: string, label: string, attributes: string) => `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" ${attributes} value="${escapeHtml(textOf(values[name]))}">`;
  const faultText = fault === 'invalid_email' ? texts.invalidEmail : texts.challengeFailed;
  const body = [
    ...(fault ? [`<p class="fault" role="alert">${faultText}</p>`] : []),
    `<form method="post"${form.redirectUrl === null ? '' : ' target="_top"'}>`,
    field('email', texts.email, 'type="email" required maxlength="254" autocomplete="email"'),
    ...form.fields.map((name) => field(name, texts[name], `maxlength="200" autocomplete="${AUTOCOMPLETE[name]}"`)),
    `<div class="trap" aria-hidden="true"><label for="${TRAP_FIELD}">${texts.trap}</label>
<input id="${TRAP_FIELD}" name="${TRAP_FIELD}" tabindex="-1" autocomplete="off"></div>`,
    `<p class="wording">${withLinks(form.wording)}</p>`,
    `<input type="hidden" name="wordingVersion" value="${form.wordingVersion}">`,
    ...(form.challenge === 'altcha' ? [challengeOf(form, language, basePath)] : []),
    `<button type="submit">${texts.submit}</button>`,
    '</form>',
  ];
  const [brand, extras] = [form.account, extrasOf(form, basePath)];
  return { title: texts.title(form.name), body: body.join('\n'), brand, language, extras };
}

export function inboxPage({ form, language, basePath }: FormView): HtmlPage {
  const { inboxTitle: title, inbox } = PAGE_TEXTS[language];
  return { title, body: `<p>${inbox}</p>`, brand: form.account, language, extras: extrasOf(form, basePath, false) };
}

export function unknownFormPage(language: PageLanguage): HtmlPage {
  const { unknownTitle: title, unknown } = PAGE_TEXTS[language];
  return { title, body: `<p>${unknown}</p>`, language };
}

export function foreignOriginPage(language: PageLanguage): HtmlPage {
  const { foreignTitle: title, foreign } = PAGE_TEXTS[language];
  return { title, body: `<p>${foreign}</p>`, language };
}

/** Text as HTML, in which addresses of web pages are links. */
export const withLinks = (text: string): string =>
  text
    .split(/(https:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/)
    .map((part, i) => {
      const escaped = escapeHtml(part);
      return i % 2 === 0 ? escaped : `<a href="${escaped}" target="_blank" rel="noopener noreferrer">${escaped}</a>`;
    })
    .join('');

function challengeOf({ id }: BrandedForm, language: PageLanguage, basePath: string): string {
  const settings = escapeHtml(JSON.stringify({ hideLogo: true, hideFooter: true }));
  return `<altcha-widget name="${CHALLENGE_FIELD}" challenge="${basePath}/f/${id}/challenge" auto="onsubmit" language="${language}" configuration="${settings}"></altcha-widget>
<noscript><p>${PAGE_TEXTS[language].needsScript}</p></noscript>`;
}

function extrasOf(form: BrandedForm, basePath: string, hasForm = true): PageExtras {
  const assets = `${basePath}/f/assets`;
  const isChallenged = hasForm && form.challenge === 'altcha';
  const scripts = [
    ...(form.allowedOrigins.length > 0 ? [`${assets}/frame.js`] : []),
    ...(isChallenged ? [`${assets}/altcha.js`] : []),
  ];
  return {
    style: STYLE,
    scripts,
    styleSheets: isChallenged ? [`${assets}/altcha.css`] : [],
    frameAncestors: form.allowedOrigins,
    redirectOrigins: form.redirectUrl === null ? [] : [new URL(form.redirectUrl).origin],
    isPublic: true,
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
