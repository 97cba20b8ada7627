import { useLocalStorage } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';

import { acceptUndo } from '../components/offer-undo';
import { readShortcut, SEQUENCE_MS, type Shortcut } from './shortcuts';

/** Single keys can be turned off: speech input and some keyboards trigger them by accident (WCAG 2.1.4). */
export const useSingleKeys = () =>
  useLocalStorage({ key: 'single-key-shortcuts', defaultValue: true, getInitialValueInEffect: false });

interface Handlers {
  onPalette: () => void;
  onHelp: () => void;
  /** Whether the palette or the help is open, or still being loaded: keys are meant for it. */
  isOpen: boolean;
}

/**
 * The keyboard shortcuts of the dashboard. They are off while the user types or a dialog is open. A key that is held
 * down acts once, except that it moves on through the rows of a list.
 */
export function useShortcuts({ onPalette, onHelp, isOpen }: Handlers): void {
  const navigate = useNavigate();
  const [areSingleKeysOn] = useSingleKeys();
  const prefixAt = useRef(-Infinity);
  const isMoving = useRef(false);
  useEffect(() => {
    const run = (shortcut: Shortcut) => {
      if (shortcut.action === 'palette') onPalette();
      else if (shortcut.action === 'help') onHelp();
      else if (shortcut.action === 'search') document.querySelector<HTMLElement>('main input[type=search]')?.focus();
      else if (shortcut.action === 'undo') acceptUndo();
      else if (shortcut.action === 'open') void navigate(`/${shortcut.section}`);
      else focusRow(shortcut.action === 'next' ? 1 : -1);
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.repeat) isMoving.current = false;
      const isAfterG = event.timeStamp - prefixAt.current < SEQUENCE_MS;
      const shortcut = readShortcut(event, isAfterG);
      const isPalette = shortcut !== null && shortcut !== 'prefix' && shortcut.action === 'palette';
      if (isPalette) event.preventDefault(); // also a second time, while it is being loaded
      if (isOpen || isDialogOpen() || (!isPalette && (!areSingleKeysOn || isTyping(event)))) return;
      const isHeld = event.repeat && !isMoving.current;
      if (!isHeld) prefixAt.current = shortcut === 'prefix' ? event.timeStamp : -Infinity;
      if (shortcut === null || shortcut === 'prefix') return;
      event.preventDefault();
      if (isHeld) return;
      isMoving.current = shortcut.action === 'next' || shortcut.action === 'previous';
      run(shortcut);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [navigate, onPalette, onHelp, isOpen, areSingleKeysOn]);
}

const isTyping = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input:not([type=checkbox], [type=radio]), textarea, select') !== null);

const isDialogOpen = (): boolean => document.querySelector('[role=dialog], [role=menu]') !== null;

/** Moves the focus among the links of a list's rows. */
function focusRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('main .row-link')];
  const row = document.activeElement?.closest('tr') ?? null;
  const current = links.findIndex((link) => link.closest('tr') === row);
  const next = links[current === -1 ? (step === 1 ? 0 : links.length - 1) : current + step];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
