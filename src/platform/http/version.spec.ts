import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { API_VERSION } from './version.js';

type Place = string | { path: string; jsonpath: string };

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const readJson = (path: string) => JSON.parse(read(path)) as Record<string, unknown>;

/** The places that release-please updates: lines that end in its mark, and values in JSON. */
const { packages } = readJson('release-please-config.json') as { packages: { '.': { 'extra-files': Place[] } } };
const places = packages['.']['extra-files'];

const linesOf = (path: string) =>
  read(path)
    .split('\n')
    .filter((line) => line.endsWith(' x-release-please-version'));

const versionsAt = (place: Place): unknown[] =>
  typeof place === 'string'
    ? linesOf(place).map((line) => /\d{1,4}\.\d{1,4}\.\d{1,4}/.exec(line)?.[0])
    : [valueAt(readJson(place.path), place.jsonpath)];

/** The value at a path of the form `$.name['other name']`. */
const valueAt = (json: unknown, path: string): unknown =>
  [...path.matchAll(/\.(\w+)|\['([^']*)'\]/g)].reduce<unknown>(
    (value, [, name, quoted]) => (value as Record<string, unknown>)[name ?? quoted!],
    json,
  );

/** The path of each value that is `text`, in the form of `valueAt`. */
const pathsOf = (text: string, json: unknown, path = '$'): string[] =>
  json === text
    ? [path]
    : Object.entries(typeof json === 'object' && json ? json : {}).flatMap(([name, value]) =>
        pathsOf(text, value, `${path}${/^\w+$/.test(name) ? `.${name}` : `['${name}']`}`),
      );

describe('The version', () => {
  it.each(places)('is that of the API in %j', (place) => {
    expect([...new Set(versionsAt(place))]).toEqual([API_VERSION]);
  });

  it('is that of the API in each package.json, in the lock file, and where release-please finds them', () => {
    const { version, workspaces } = readJson('package.json') as { version: string; workspaces: string[] };
    const { version: locked } = readJson('package-lock.json');
    expect([version, locked]).toEqual([API_VERSION, API_VERSION]);
    const paths = places.map((place) => (typeof place === 'string' ? place : place.path));
    expect(paths).toEqual(expect.arrayContaining(workspaces.map((folder) => `${folder}/package.json`)));
  });

  it('is changed by release-please wherever openapi.json has it', () => {
    const changed = places.flatMap((place) =>
      typeof place === 'object' && place.path === 'openapi.json' ? [place.jsonpath] : [],
    );
    expect(pathsOf(API_VERSION, readJson('openapi.json')).sort()).toEqual(changed.sort());
  });

  it('has a section in the changelog', () => {
    expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${API_VERSION.replaceAll('.', '\\.')}$`, 'm'));
  });
});
