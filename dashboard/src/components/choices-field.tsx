import { Checkbox, type CheckboxGroupProps, Stack } from '@mantine/core';

type Props<T extends string> = Omit<CheckboxGroupProps<T>, 'children'> & {
  /** The description of each value. */
  choices: Readonly<Record<T, string>>;
};

/** Checkboxes for API values, each with a description. */
export const ChoicesField = <T extends string>({ choices, ...group }: Props<T>) => (
  <Checkbox.Group withAsterisk {...group}>
    <Stack gap={8} mt={8} mb={4}>
      {Object.entries<string>(choices).map(([name, meaning]) => (
        <Checkbox key={name} value={name} label={<span className="mono">{name}</span>} description={meaning} />
      ))}
    </Stack>
  </Checkbox.Group>
);
