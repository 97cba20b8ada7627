import { readdirSync, readFileSync } from 'node:fs';

const TEXTS = new URL('../../dashboard/src/texts/', import.meta.url);

/** The English texts without arguments that are other words in the given language, and none of its own. */
export function untranslated(language: string): Set<string> {
  const [english, translated] = [readTexts('en'), readTexts(language)];
  const own = new Set(Object.values(translated));
  return new Set(
    Object.entries(english)
      .filter(([id, text]) => translated[id] !== text && !own.has(text) && !/[{<]/.test(text))
      .map(([, text]) => text),
  );
}

function readTexts(language: string): Record<string, string> {
  const directory = new URL(`${language}/`, TEXTS);
  const files = readdirSync(directory);
  return Object.fromEntries(
    files.flatMap((file) =>
      Object.entries(JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as Record<string, string>).map(
        ([key, text]) => [`${file}:${key}`, text] as const,
      ),
    ),
  );
}
