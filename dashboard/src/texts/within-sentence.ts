import { language } from './language';

/** Lower-cases a label for use within a sentence, except in German, which capitalises nouns. */
export const withinSentence = (label: string): string => (language === 'de' ? label : label.toLowerCase());
