import { lazy, Suspense } from 'react';
import { Outlet } from 'react-router';

/** Loaded beside the page instead of before it: nothing is asked or reported until the page is there. */
const loading = import('./dialog-area');
const DialogArea = lazy(() => loading);

/** Renders dialogs and notifications inside the router, so that they can contain links. */
export const Dialogs = () => (
  <>
    <Outlet />
    <Suspense>
      <DialogArea />
    </Suspense>
  </>
);
