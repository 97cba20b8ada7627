import type { PageLanguage } from '../../../shared/page-language.js';

/** The texts of public pages. Values are inserted as they are: escape them, or the text. */
export interface PageTexts {
  title: (formName: string) => string;
  email: string;
  firstName: string;
  lastName: string;
  company: string;
  trap: string;
  submit: string;
  needsScript: string;
  invalidEmail: string;
  challengeFailed: string;
  inboxTitle: string;
  inbox: string;
  unknownTitle: string;
  unknown: string;
  foreignTitle: string;
  foreign: string;
  confirmTitle: (accountName: string) => string;
  confirm: (email: string, accountName: string) => string;
  agree: string;
  confirmButton: string;
  otherwise: string;
  confirmedTitle: string;
  confirmed: (email: string, accountName: string) => string;
  suppressedTitle: string;
  suppressed: (email: string, accountName: string) => string;
  deadLinkTitle: string;
  deadLink: string;
}

export const PAGE_TEXTS: Record<PageLanguage, PageTexts> = {
  en: {
    title: (formName) => formName,
    email: 'Email address',
    firstName: 'First name',
    lastName: 'Last name',
    company: 'Company',
    trap: 'Leave this field empty',
    submit: 'Sign up',
    needsScript: 'This form needs JavaScript, to tell people from programs.',
    invalidEmail: 'This is not an email address. Please check it.',
    challengeFailed: 'The check that you are not a program has failed or is too old. Please try again.',
    inboxTitle: 'Check your inbox',
    inbox:
      'If this address can be signed up, it gets an email with a link in a minute. Use it to confirm: only then are you signed up.',
    unknownTitle: 'This form does not exist',
    unknown: 'It has been closed, or its address was not copied in full.',
    foreignTitle: 'This form was sent from another site',
    foreign: 'The site that you came from may not send this form, so nothing has been stored.',
    confirmTitle: (accountName) => `Confirm your subscription to ${accountName}`,
    confirm: (email, accountName) => `Shall ${accountName} send email to ${email}?`,
    agree: 'What you agree to:',
    confirmButton: 'Confirm',
    otherwise: 'If you do not want this, close this page: nothing changes.',
    confirmedTitle: 'You are subscribed',
    confirmed: (email, accountName) => `${accountName} can now send email to ${email}. You can close this page.`,
    suppressedTitle: 'This address gets no email',
    suppressed: (email, accountName) =>
      `${email} is blocked from email of ${accountName}, for example because it has unsubscribed, so nothing has changed. Please ask ${accountName} to lift the block.`,
    deadLinkTitle: 'This link does not work',
    deadLink: 'Links work for seven days. This one has expired, or was not copied in full. Please sign up again.',
  },
  de: {
    title: (formName) => formName,
    email: 'E-Mail-Adresse',
    firstName: 'Vorname',
    lastName: 'Nachname',
    company: 'Firma',
    trap: 'Dieses Feld bitte leer lassen',
    submit: 'Anmelden',
    needsScript: 'Dieses Formular braucht JavaScript, um Menschen von Programmen zu unterscheiden.',
    invalidEmail: 'Das ist keine E-Mail-Adresse. Bitte prüfen Sie sie.',
    challengeFailed:
      'Die Prüfung, ob Sie ein Programm sind, ist fehlgeschlagen oder zu alt. Bitte versuchen Sie es noch einmal.',
    inboxTitle: 'Sehen Sie in Ihr Postfach',
    inbox:
      'Wenn diese Adresse angemeldet werden kann, erhält sie in einer Minute eine E-Mail mit einem Link. Bestätigen Sie damit: Erst dann sind Sie angemeldet.',
    unknownTitle: 'Dieses Formular gibt es nicht',
    unknown: 'Es wurde geschlossen, oder seine Adresse wurde nicht vollständig kopiert.',
    foreignTitle: 'Dieses Formular kam von einer anderen Website',
    foreign: 'Die Website, von der Sie kommen, darf dieses Formular nicht absenden. Es wurde nichts gespeichert.',
    confirmTitle: (accountName) => `Anmeldung bei ${accountName} bestätigen`,
    confirm: (email, accountName) => `Soll ${accountName} E-Mails an ${email} senden?`,
    agree: 'Dem stimmen Sie zu:',
    confirmButton: 'Bestätigen',
    otherwise: 'Wenn Sie das nicht möchten, schließen Sie diese Seite: Es ändert sich nichts.',
    confirmedTitle: 'Sie sind angemeldet',
    confirmed: (email, accountName) =>
      `${accountName} kann jetzt E-Mails an ${email} senden. Sie können diese Seite schließen.`,
    suppressedTitle: 'Diese Adresse erhält keine E-Mails',
    suppressed: (email, accountName) =>
      `${email} ist für E-Mails von ${accountName} gesperrt, zum Beispiel nach einer Abmeldung. Es hat sich nichts geändert. Bitten Sie ${accountName}, die Sperre aufzuheben.`,
    deadLinkTitle: 'Dieser Link funktioniert nicht',
    deadLink:
      'Links funktionieren sieben Tage lang. Dieser ist abgelaufen oder wurde nicht vollständig kopiert. Bitte melden Sie sich noch einmal an.',
  },
};
