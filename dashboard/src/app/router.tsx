import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, Navigate, type RouteObject, useLocation } from 'react-router';

import { Loading, NotFound } from '../components/states';
import { BASE_PATH } from './service-url';
import { CrashPage } from './crash-page';
import { AdminOnly } from './admin-only';
import { Dialogs } from './dialogs';
import { lazyWithTexts } from './lazy-with-texts';
import { SECTIONS } from './sections';
import { Shell } from './shell';

const LoginPage = lazyWithTexts('login', () => import('../pages/login/login-page'));

const pages: RouteObject[] = Object.entries(SECTIONS).flatMap(([sectionPath, section]) =>
  Object.entries(section.pages).map(([subPath, Page]) => ({
    path: subPath === '' ? sectionPath : `${sectionPath}/${subPath}`,
    element: section.isAdminOnly ? (
      <AdminOnly>
        <OwnPage of={Page} />
      </AdminOnly>
    ) : (
      <OwnPage of={Page} />
    ),
  })),
);

/** Gives every object a page of its own, so that input, questions and requests of one do not show up on another. */
function OwnPage({ of: Page }: { of: ComponentType }) {
  const { pathname } = useLocation();
  return <Page key={pathname} />;
}

export const router = createBrowserRouter(
  [
    {
      element: <Dialogs />,
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
