export { TopicUses } from './application/ports/topic-uses.js';
export { TopicDirectory } from './application/topic-directory.service.js';
export { type Topic, type TopicChoice, topicWords } from './domain/topic.js';
export { isOutOfTopic, topicName, topicRefusal } from './infrastructure/topic.sql.js';
