/**
 * The form in which text is compared regardless of case: composed (NFC) and in lower case. It is composed twice because
 * `J` with a caron is a single character in lower case only.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');
