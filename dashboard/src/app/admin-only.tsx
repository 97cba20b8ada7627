import type { ReactNode } from 'react';

import { NotFound } from '../components/states';
import { t } from '../texts/text';
import { useIsAdmin } from './use-is-admin';

export const AdminOnly = ({ children }: { children: ReactNode }) =>
  useIsAdmin() ? children : <NotFound message={t('common.adminOnly')} />;
