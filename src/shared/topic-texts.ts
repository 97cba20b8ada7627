/** The reason why nothing with the topic is sent to a recipient who has unsubscribed from it. */
export const unsubscribedText = (recipient: string, topic: string): string =>
  `${recipient} has unsubscribed from ${topic}`;

export const noSuchTopic = (field: string, id: string): string => `${field}: there is no topic ${id}`;
