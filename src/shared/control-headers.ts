/** Headers with which vendors let senders control delivery. */
const VENDOR_CONTROL = new RegExp(
  `^(?:${[
    'X-SES-.*|X-SMTPAPI|X-Mailgun-.*|X-PM-.*|X-Message-Ref',
    'X-MC-.*|X-MSYS-API|X-(?:Mailin|Sib|MJ|Mailjet)-.*',
  ].join('|')})$`,
  'i',
);

/**
 * Signatures, which do not match another mail, and headers that name recipients or somebody who has forwarded the mail.
 * An erased recipient must not stay in them.
 */
const NOT_PASSED_ON = new RegExp(
  `^(?:${[
    'Sender|Return-Path|Received|(?:DKIM|ARC)-.*|Resent-.*',
    'Bcc|Apparently-To|(?:X-)?(?:Delivered|Envelope|Original|Forwarded|Rcpt)-To',
  ].join('|')})$`,
  'i',
);

export const isVendorControl = (name: string): boolean => VENDOR_CONTROL.test(name);

/** Whether a header of a submitted mail is left out of the mail that is sent. */
export const isNotPassedOn = (name: string): boolean => NOT_PASSED_ON.test(name);
