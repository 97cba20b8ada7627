import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import { loadTexts } from '../texts/load-texts';
import type { TextSection } from '../texts/text';

/** A page, or a dialog of another section, that is loaded with the texts of its section when it is opened. */
export const lazyWithTexts = <Props extends object>(
  section: TextSection,
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    const [module] = await Promise.all([load(), loadTexts(section)]);
    return module;
  });
