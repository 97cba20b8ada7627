import { useQueryClient } from '@tanstack/react-query';

import { ApiError } from '../../api/client';
import { useAction } from '../../components/use-action';
import type { Campaign } from './campaign-status';

interface Options<In> {
  run: (input: In) => Promise<Campaign>;
  successMessage?: string | ((campaign: Campaign) => string);
  onSuccess?: (campaign: Campaign) => void;
  isErrorShownInForm?: boolean;
}

/**
 * An action that returns the changed campaign, which the page then shows. If the status does not allow it any more,
 * somebody else has changed the campaign: it is loaded again.
 */
export function useCampaignAction<In = void>({ run, onSuccess, ...options }: Options<In>) {
  const queryClient = useQueryClient();
  return useAction<In, Campaign>({
    ...options,
    run: async (input) => {
      try {
        return await run(input);
      } catch (error) {
        if (error instanceof ApiError && error.status === 409)
          void queryClient.invalidateQueries({ queryKey: ['campaigns'] });
        throw error;
      }
    },
    invalidates: [['campaigns']],
    onSuccess: (campaign) => {
      queryClient.setQueryData(['campaigns', campaign.id], campaign);
      onSuccess?.(campaign);
    },
  });
}
