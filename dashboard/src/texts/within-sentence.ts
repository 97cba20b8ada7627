import { language } from './language';

/** A label as it is written within a sentence, where German alone keeps the capital of a noun. */
export const withinSentence = (label: string): string => (language === 'de' ? label : label.toLowerCase());
