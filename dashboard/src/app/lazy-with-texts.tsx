import { type ComponentType, lazy } from 'react';

import { loadTexts } from '../texts/load-texts';
import type { TextSection } from '../texts/text';
import { reloadIfKept } from './reload-if-kept';

export type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;

/** Loads a component together with the texts of its section. */
export const withTexts =
  <Props extends object>(section: TextSection, load: Load<Props>): Load<Props> =>
  async () => {
    const [module] = await Promise.all([load(), loadTexts(section)]);
    return module;
  };

/** Functions that each let a page that could not be loaded be loaded again. */
const forgetting: (() => void)[] = [];

/** Makes the next opening of a page that could not be loaded another attempt. Called once the failure is shown. */
export function forgetFailedLoads(): void {
  for (const forget of forgetting.splice(0)) forget();
}

/** A page that is loaded when it is opened. */
export function lazyWithTexts<Props extends object>(section: TextSection, load: Load<Props>): ComponentType<Props> {
  const attempt = reloadIfKept(withTexts(section, load));
  const create = () =>
    lazy(async () => {
      try {
        return await attempt();
      } catch (error) {
        forgetting.push(() => (Page = create()));
        throw error;
      }
    });
  let Page = create();
  return function LazyPage(props: Props) {
    return <Page {...props} />;
  };
}
