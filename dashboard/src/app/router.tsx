import { lazy, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';

import { Loading, NotFound } from '../components/states';
import { BASE_PATH } from './base';
import { CrashPage } from './crash-page';
import { ForAdmins } from './for-admins';
import { Frame } from './frame';
import { SECTIONS } from './pages';
import { Shell } from './shell';

const LoginPage = lazy(() => import('../pages/login/login-page'));

const pages: RouteObject[] = Object.entries(SECTIONS).flatMap(([address, section]) =>
  Object.entries(section.pages).map(([rest, Page]) => ({
    path: rest === '' ? address : `${address}/${rest}`,
    element: section.isForAdmins ? (
      <ForAdmins>
        <Page />
      </ForAdmins>
    ) : (
      <Page />
    ),
  })),
);

export const router = createBrowserRouter(
  [
    {
      element: <Frame />,
      errorElement: <CrashPage />,
      children: [
        {
          path: 'login',
          element: (
            <Suspense fallback={<Loading />}>
              <LoginPage />
            </Suspense>
          ),
        },
        {
          element: <Shell />,
          children: [
            { index: true, element: <Navigate to="/overview" replace /> },
            { errorElement: <CrashPage />, children: pages },
            { path: '*', element: <NotFound /> },
          ],
        },
      ],
    },
  ],
  { basename: BASE_PATH },
);
