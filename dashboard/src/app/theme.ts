import {
  createTheme,
  type CSSVariablesResolver,
  type ModalProps,
  type NotificationProps,
  type PasswordInputProps,
} from '@mantine/core';

import { t } from '../texts/text';

/** The dark shades from text to the darkest background, slightly bluer than Mantine's default. */
const BLUISH_DARK = [
  '#d3d7de',
  '#b6bcc7',
  '#969eab',
  '#626a77',
  '#414853',
  '#333942',
  '#262b33',
  '#1d2127',
  '#15181c',
  '#0f1114',
] as const;

/** Does not import the component, as its `extend` would. */
const withDefaults = <Props>(defaultProps: Partial<Props>) => ({ defaultProps });

/** A function because it uses texts, which are not loaded yet when the module is. */
export const makeTheme = () =>
  createTheme({
    primaryColor: 'indigo',
    colors: { dark: BLUISH_DARK },
    primaryShade: { light: 8, dark: 8 },
    defaultRadius: 'md',
    cursorType: 'pointer',
    fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
    headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem', lineHeight: '1.3' } } },
    components: {
      Modal: withDefaults<ModalProps>({
        centered: true,
        closeButtonProps: { 'aria-label': t('common.action.close') },
        transitionProps: { duration: 120 },
      }),
      Notification: withDefaults<NotificationProps>({ closeButtonProps: { 'aria-label': t('common.action.dismiss') } }),
      PasswordInput: withDefaults<PasswordInputProps>({
        visibilityToggleButtonProps: { 'aria-label': t('common.password.toggle') },
      }),
    },
  });

/** Mantine's greys and reds do not reach the contrast of WCAG AA (4.5:1). */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636b',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-anchor': '#364fc7',
    '--surface': '#ffffff',
    '--canvas': '#f7f8fa',
    '--line': '#e4e7eb',
  },
  dark: {
    '--mantine-color-body': 'var(--mantine-color-dark-7)',
    '--mantine-color-dimmed': '#a3a9b3',
    '--mantine-color-placeholder': '#9aa0aa',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#91a7ff',
    '--mantine-color-red-light-color': '#ff8787',
    '--mantine-color-red-light-hover': 'rgba(255, 135, 135, 0.12)',
    '--surface': 'var(--mantine-color-dark-7)',
    '--canvas': 'var(--mantine-color-dark-8)',
    '--line': 'var(--mantine-color-dark-5)',
  },
});
