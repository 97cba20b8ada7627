import { Badge, type BadgeProps, Group } from '@mantine/core';
import { Link } from 'react-router';

interface Props {
  tags: readonly string[];
  max?: number;
  /** The page that a tag leads to. */
  linkOf?: (tag: string) => string;
}

const STYLE: BadgeProps = { variant: 'default', tt: 'none', fw: 400, radius: 'sm', className: 'tag' };

/** Shows up to `max` tags and the number of the remaining ones. */
export const Tags = ({ tags, max = tags.length, linkOf }: Props) => (
  <Group gap={4} wrap={tags.length > max ? 'nowrap' : 'wrap'}>
    {tags.slice(0, max).map((tag) =>
      linkOf ? (
        <Badge key={tag} {...STYLE} c="var(--mantine-color-anchor)" title={tag} component={Link} to={linkOf(tag)}>
          {tag}
        </Badge>
      ) : (
        <Badge key={tag} {...STYLE} title={tag}>
          {tag}
        </Badge>
      ),
    )}
    {tags.length > max && <span title={tags.slice(max).join(', ')}>+{tags.length - max}</span>}
  </Group>
);
