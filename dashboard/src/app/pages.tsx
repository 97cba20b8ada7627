import { KeyRound, type LucideIcon, Send } from 'lucide-react';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';

import type { Address } from './addresses';

export interface Section {
  label: string;
  icon: LucideIcon;
  /** Not shown to members. */
  isForAdmins?: boolean;
  isDemoOnly?: boolean;
  /** By the rest of the address, `''` for the section's own. */
  pages: Readonly<Record<string, LazyExoticComponent<ComponentType>>>;
}

/** A page is a default export, in a file of its own that is loaded when it is opened. */
export const SECTIONS: Readonly<Record<Address, Section>> = {
  messages: {
    label: 'Messages',
    icon: Send,
    pages: {
      '': lazy(() => import('../pages/messages/messages-page')),
      ':id': lazy(() => import('../pages/messages/message-page')),
    },
  },
  'api-keys': {
    label: 'API keys',
    icon: KeyRound,
    pages: { '': lazy(() => import('../pages/api-keys/api-keys-page')) },
  },
};
