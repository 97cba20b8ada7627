import { answerOf, api } from '../../api/client';
import type { Schemas } from '../../api/types';
import { useAction } from '../../components/use-action';

export const useChangeSettings = (onDone?: (settings: Schemas['SettingsResponse']) => void) =>
  useAction({
    run: (body: Schemas['ChangeSettingsDto']) => answerOf(api.PATCH('/api/settings', { body })),
    done: 'Saved.',
    changes: [['settings'], ['usage'], ['me']],
    isErrorShown: true,
    onDone,
  });
