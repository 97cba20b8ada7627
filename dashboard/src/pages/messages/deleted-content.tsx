import { Empty } from '../../components/states';

export const DeletedContent = () => (
  <Empty title="The content has been deleted">Message content is kept for a limited time only.</Empty>
);
