import type { ReactNode } from 'react';

import { NotFound } from '../components/states';
import { useIsAdmin } from './use-is-admin';

export const AdminOnly = ({ children }: { children: ReactNode }) =>
  useIsAdmin() ? children : <NotFound message="Only admins of this account can open this page." />;
