import type { Schemas } from '../../api/types';

type Topic = Pick<Schemas['TopicResponse'], 'id' | 'name' | 'byDefault'>;
type Standing = Schemas['StandingConsentResponse'];

export interface TopicState {
  id: string;
  name: string;
  isIn: boolean;
  /** Null if only the default of the topic applies. */
  since: string | null;
}

/** The state of each topic: by a consent of its own, else by one for all topics, else by its default. */
export const topicStates = (topics: readonly Topic[], standing: readonly Standing[]): TopicState[] => {
  const marketing = standing.filter(({ purpose, state }) => purpose === 'marketing' && state !== 'none');
  return topics.map(({ id, name, byDefault }) => {
    const found = marketing.find(({ topicId }) => topicId === id) ?? marketing.find(({ topicId }) => topicId === null);
    return { id, name, isIn: found ? found.state === 'granted' : byDefault === 'in', since: found?.since ?? null };
  });
};
