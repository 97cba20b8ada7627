import type { Plugin } from 'vite';

import { ADDRESSES } from '../src/app/addresses.ts';

/** Tells the service, in addresses.json, which addresses are the dashboard's. */
export function addressList(): Plugin {
  return {
    name: 'address-list',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(['login', ...ADDRESSES]) });
    },
  };
}
