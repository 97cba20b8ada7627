import { describe, expect, it } from '@jest/globals';

import { SECTION_PATHS } from './section-paths';
import { readShortcut, SECTION_KEYS } from './shortcuts';

const press = (key: string, { isAfterG = false, ...modifiers } = {}) =>
  readShortcut({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers }, isAfterG);

describe('readShortcut', () => {
  it('opens the palette with Ctrl or Cmd, and leaves other combinations to the browser', () => {
    expect(press('k', { ctrlKey: true } as object)).toEqual({ action: 'palette' });
    expect(press('k', { metaKey: true } as object)).toEqual({ action: 'palette' });
    for (const key of ['f', 'g', '/', 'c']) expect(press(key, { ctrlKey: true } as object)).toBeNull();
    expect(press('m', { altKey: true, isAfterG: true } as object)).toBeNull();
  });

  it('opens a section with G and its key, in either case', () => {
    expect(press('g')).toBe('prefix');
    expect(press('m', { isAfterG: true })).toEqual({ action: 'open', section: 'messages' });
    expect(press('M', { isAfterG: true })).toEqual({ action: 'open', section: 'messages' });
    expect(press('x', { isAfterG: true })).toBeNull();
    expect(press('m')).toBeNull();
  });

  it('has one key for each section outside the demo', () => {
    const keys = SECTION_PATHS.filter((path) => path !== 'inbox').map((path) => SECTION_KEYS[path]);
    expect(keys).not.toContain(undefined);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
