import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Outlet } from 'react-router';

/** Renders dialogs and notifications inside the router, so that they can contain links. */
export const Dialogs = () => (
  <ModalsProvider labels={{ confirm: 'Confirm', cancel: 'Cancel' }}>
    <Notifications position="bottom-right" />
    <Outlet />
  </ModalsProvider>
);
