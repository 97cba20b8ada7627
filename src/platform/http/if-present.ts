import { ValidateIf } from 'class-validator';

/** For a field that may be absent but, unlike with @IsOptional, not null. */
export const IfPresent = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);
