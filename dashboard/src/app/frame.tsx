import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Outlet } from 'react-router';

/** Around every page, within the router, so that dialogs and notifications can hold links. */
export const Frame = () => (
  <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
    <Notifications position="bottom-right" />
    <Outlet />
  </ModalsProvider>
);
