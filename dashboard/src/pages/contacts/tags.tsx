import { Badge, Group } from '@mantine/core';

/** Shows up to `max` tags and the number of the remaining ones. */
export const Tags = ({ tags, max = tags.length }: { tags: readonly string[]; max?: number }) => (
  <Group gap={4} wrap={tags.length > max ? 'nowrap' : 'wrap'}>
    {tags.slice(0, max).map((tag) => (
      <Badge key={tag} variant="default" tt="none" fw={400} radius="sm" className="tag" title={tag}>
        {tag}
      </Badge>
    ))}
    {tags.length > max && <span title={tags.slice(max).join(', ')}>+{tags.length - max}</span>}
  </Group>
);
