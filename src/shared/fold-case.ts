/**
 * The form in which texts are compared regardless of case: composed (NFC) and in lower case. Composed twice: `J` with a
 * caron is one character in lower case only.
 */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC');
