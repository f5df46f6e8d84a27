#!/bin/sh
# There is nothing to build. An archive may have lost the permissions to execute the files.
chmod +x run judge
