export { TopicUses } from './application/ports/topic-uses.js';
export { TopicDirectory } from './application/topic-directory.service.js';
export { type Topic, type TopicChoice } from './domain/topic.js';
export { topicName, topicRefusal } from './infrastructure/topic.sql.js';
