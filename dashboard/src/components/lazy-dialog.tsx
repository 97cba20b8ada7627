import { notifications } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';

import type { Load } from '../app/lazy-with-texts';
import { t } from '../texts/text';

/** Says that a part of the page could not be loaded: offline, or an update of the service has replaced the files. */
export const reportNotLoaded = () =>
  notifications.show({ color: 'red', title: t('common.notLoaded.title'), message: t('common.notLoaded.text') });

/**
 * A dialog that is loaded when it is opened. If it cannot be loaded, a notification says so and the dialog closes. The
 * page stays, with what is typed in it, and opening the dialog again is another attempt.
 */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  return function LazyDialog(props: Props) {
    const [Dialog, setDialog] = useState(() => Loaded);
    const { onClose } = props;
    useEffect(() => {
      if (Dialog) return;
      let isClosed = false;
      load().then(
        (module) => {
          Loaded = module.default;
          if (!isClosed) setDialog(() => Loaded);
        },
        () => {
          if (isClosed) return;
          reportNotLoaded();
          onClose();
        },
      );
      return () => {
        isClosed = true;
      };
      // eslint-disable-next-line react-hooks/exhaustive-deps -- once for each opening, with the `onClose` of that time
    }, [Dialog]);
    return Dialog && <Dialog {...props} />;
  };
}
