import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import { loadTexts } from '../texts/load-texts';
import type { TextSection } from '../texts/text';

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Loads a component together with the texts of its section. */
export const withTexts =
  <Props extends object>(section: TextSection, load: Load<Props>): Load<Props> =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(section)]);
    return module;
  };

/** A page that is loaded when it is opened. */
export const lazyWithTexts = <Props extends object>(
  section: TextSection,
  load: Load<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(withTexts(section, load));
