"""What reports and figures share: markup that nothing from outside can enter, numbers, pages, drawing."""
