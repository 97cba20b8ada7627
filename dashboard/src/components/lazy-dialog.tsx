import { notifications } from '@mantine/notifications';
import { type ComponentType, useEffect } from 'react';

import type { Load } from '../app/lazy-with-texts';
import { t } from '../texts/text';
import { onDemand } from './on-demand';

/**
 * Says that a part of the page could not be loaded: offline, or an update of the service has replaced the files. Shown
 * once, however often the user tries meanwhile.
 */
export const reportNotLoaded = () =>
  notifications.show({
    id: 'not-loaded',
    color: 'red',
    title: t('common.notLoaded.title'),
    message: t('common.notLoaded.text'),
  });

/**
 * A dialog that is loaded when it is opened. If it cannot be loaded, a notification says so and the dialog closes. The
 * page stays, with what is typed in it, and opening the dialog again is another attempt.
 */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> {
  const useDialog = onDemand(load);
  return function LazyDialog(props: Props) {
    const { Loaded: Dialog, isFailed } = useDialog();
    const { onClose } = props;
    useEffect(() => {
      if (!isFailed) return;
      reportNotLoaded();
      onClose();
      // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each opening, with the `onClose` of that time
    }, [isFailed]);
    return Dialog && <Dialog {...props} />;
  };
}
