import { htmlSize } from '../../components/html-size';
import { t } from '../../texts/text';

interface Parts {
  html: string;
  text: string;
  /** The HTML with the variables filled in, as far as it is known. */
  renderedHtml: string | null;
}

/** Finds problems that do not prevent a save but are rarely intended. */
export function templateWarnings({ html, text, renderedHtml }: Parts): string[] {
  const warnings: string[] = [];
  const { kilobytes, isClipped } = htmlSize(renderedHtml ?? html);
  if (isClipped) warnings.push(t('templates.warnings.size', { size: kilobytes }));
  if (html !== '' && text === '') warnings.push(t('templates.warnings.noText'));
  if ((html !== '' || text !== '') && !/\{\{\{?&?\s*(?:unsubscribe|preferences)Url\s*\}/.test(`${html} ${text}`))
    warnings.push(t('templates.warnings.noLink'));
  const images = imagesWithoutAlt(html);
  if (images > 0) warnings.push(t('templates.warnings.images', { count: images }));
  return warnings;
}

/** An empty `alt` is fine: it says that the image is decoration. */
const imagesWithoutAlt = (html: string): number =>
  html
    .toLowerCase()
    .split('<img')
    .slice(1)
    .map((rest) => rest.split('>', 1)[0] ?? '')
    .filter((attributes) => /^[\s/]/.test(attributes) && !/\salt(?:[\s=/]|$)/.test(attributes)).length;
