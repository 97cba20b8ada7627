/** The target of a click in a mail without links. */
const DEFAULT_LINK = 'https://simulator.test/';

const LINK = /\bhref\s*=\s*(?:"\s*(https?:\/\/[^"\s]{1,2000})|'\s*(https?:\/\/[^'\s]{1,2000}))/i;

/** The target of the first link of a mail, on which the simulated recipient clicks. */
export function firstLink(html: string | null): string {
  const [, inDouble, inSingle] = LINK.exec(html ?? '') ?? [];
  return (inDouble ?? inSingle ?? DEFAULT_LINK).replaceAll('&amp;', '&').toWellFormed(); // it may be cut in a pair
}
